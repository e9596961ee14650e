#pragma once

constexpr int kHidden = 3;
