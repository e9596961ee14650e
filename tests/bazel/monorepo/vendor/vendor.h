#pragma once

int vendor();
