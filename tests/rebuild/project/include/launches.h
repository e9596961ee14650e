#pragma once

// Functions by which the host program starts the kernels.

void launch_advance(int* values);
void launch_audit(int* values);
void launch_report(int* values);
