// A device's place on the PCI bus, as NVML writes it.
#pragma once

#include "tests/standin/nvml/nvml_types.h"

namespace splitbench::standin {

nvmlPciInfo_t pci_info(int device);

}  // namespace splitbench::standin
