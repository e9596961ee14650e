#pragma once

#define OFFSET 4
