byte x = 0;
ltl done { <> (x == 7) }

active proctype p()
{
	do
	:: x = 1
	:: x = 2
	od
}
