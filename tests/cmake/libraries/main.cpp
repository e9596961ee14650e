// SPDX-License-Identifier: Apache-2.0
#ifndef FOR_TARGET
#error "the target's definition is missing"
#endif
int launch_all();
int main() { return launch_all(); }
