// SPDX-License-Identifier: Apache-2.0
int launch_step();
int launch_all() { return launch_step() == 0 ? 1 : 0; }
