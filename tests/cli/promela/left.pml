/* A loop is left after an atomic sequence: the jump is a step of its own, not the end of the sequence. */
byte x = 1;

active proctype P()
{
	do
	:: x <= 1 -> atomic { x = 0; x = 0 }
	:: break
	od;
	x > 5
}
