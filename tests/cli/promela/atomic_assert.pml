byte x;

active proctype p()
{
	atomic {
		x++;
		assert(x != 1);
		x = 3
	}
}
