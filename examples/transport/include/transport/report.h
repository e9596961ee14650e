// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transport/simulation.h"

namespace transport {

void print_report(const Results& results);

}  // namespace transport
