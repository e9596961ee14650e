#pragma once

constexpr int kCorners = 4;
