#pragma once

int first_value();
