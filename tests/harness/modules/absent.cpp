// The library that is not there when it is needed.
[[gnu::visibility("default")]] int absent();

int absent() {
  return 1;
}
