#include "moved/launch.h"

int main() { return launch(); }
