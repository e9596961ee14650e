#include "counted/counted.h"

int main() { return counted(7) == 14 ? 0 : 1; }
