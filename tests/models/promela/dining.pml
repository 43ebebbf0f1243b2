/* Dining philosophers, each of whom takes the left fork first. */
#define N 3

bool taken[N];

proctype philosopher(byte left; byte right)
{
	do
	:: atomic { !taken[left] -> taken[left] = true };
	   atomic { !taken[right] -> taken[right] = true };
eating:	   taken[right] = false;
	   taken[left] = false
	od
}

init
{
	byte i;

	atomic {
		for (i : 0 .. N - 1) {
			run philosopher(i, (i + 1) % N)
		}
	}
}
