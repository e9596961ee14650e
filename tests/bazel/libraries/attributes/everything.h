#pragma once

extern "C" int part(void);
extern "C" int first_symbol(void);
extern "C" int second_symbol(void);

int everything();
extern int registered;
