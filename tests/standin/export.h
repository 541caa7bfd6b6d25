// Marks the functions of the vendor's interface; all else in a stand-in library is hidden.
#pragma once

#define STANDIN_EXPORT __attribute__((visibility("default")))
