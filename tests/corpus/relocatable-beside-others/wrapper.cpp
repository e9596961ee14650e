void launch_c(int *p);
void wrapped(int *p) { launch_c(p); }
