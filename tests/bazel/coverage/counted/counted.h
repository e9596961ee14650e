#pragma once

int counted(int value);
int part(int value);
