#pragma once
constexpr int kLimit = 100;
