int x, y;

active proctype p()
{
	if
	:: x = 1; y = 1 :: x = 1; y = 1; y = 2
	fi
}
