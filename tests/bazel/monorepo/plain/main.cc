#include "plain/plain.h"

int main() { return plain() - 32; }
