// A library that is no module; with SPLITBENCH_NEEDS_ABSENT one that needs another.
#ifdef SPLITBENCH_NEEDS_ABSENT
[[gnu::visibility("default")]] int absent();
#else
int absent() {
  return 1;
}
#endif

[[gnu::visibility("default")]] int foreign() {
  return absent();
}
