#include "texts.h"
__constant__ Text texts[4] = {{"a\0b", u"x\u20ac", U"\U0001f600y"}, {"same", u"same", U"same"}};
__device__ char words[2][8] = {"1234567", {'n', 'o', 'n', 'u', 'l', 'l', '!', '!'}};
__device__ char quoted[16] = "\"\\\n\r\t\x7f\xff%d{}//*";
