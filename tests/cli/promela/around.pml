/* In an atomic sequence, a loop is left by an option and by its end: two jumps for one step. */
byte x = 1;

active proctype P()
{
	atomic {
		do
		:: x == 0 -> x = 2
		:: break
		od;
		x = 3
	}
	assert(x != 3)
}
