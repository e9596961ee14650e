#!/bin/sh
# Compiles each unit, and links by the host's compiler behind the words in LINK.
set -e
for unit in step scaling; do
  ${NVCC:-nvcc} -arch=sm_90 -dc $unit.cu -o $unit.o
done
g++ -c main.cpp -o main.o
$LINK g++ main.o step.o scaling.o -o program -L"$CUDA_HOME/lib64" -L"$CUDA_HOME/lib" \
  -lcudart_static -ldl -lrt -lpthread
