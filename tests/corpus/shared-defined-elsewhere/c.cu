#include "shared.h"
__shared__ int board[40];
