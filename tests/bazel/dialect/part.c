#if !defined(OF_COPT) || defined(OF_CXXOPT) || !defined(OF_CONLYOPT)
#error "the options of the command line are not those of C"
#endif

int part(int value) { return value; }
