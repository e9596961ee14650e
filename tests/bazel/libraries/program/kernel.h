#pragma once

void launch(int* values);
