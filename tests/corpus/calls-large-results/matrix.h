struct Row {
  float cells[16];
};
struct Matrix {
  Row rows[16];
};
__device__ Matrix identity(float scale);
__device__ Matrix multiply(Matrix one, Matrix other);
__device__ float trace(Matrix matrix);
__device__ Row row(const Matrix &matrix, int i);
