// SPDX-License-Identifier: Apache-2.0
int solve();
int main() { return solve(); }
