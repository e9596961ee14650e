struct First {};
struct Second {};
struct Last : First {};
__device__ int pick(First, int x, Last);
__device__ int pick(Second, int x, Last);
