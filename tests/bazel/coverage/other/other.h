#pragma once

int other(int value);
