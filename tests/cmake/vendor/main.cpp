// SPDX-License-Identifier: Apache-2.0
int run();
int main() { return run(); }
