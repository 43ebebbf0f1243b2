int x = 0;
int y = 0;

active proctype p()
{
	if :: x = 1 :: x = 2 :: x = 3 fi;
	assert(x != 2)
}

active proctype q()
{
	atomic {
		y = 1;
		y = 2;
		y = 3
	}
}
