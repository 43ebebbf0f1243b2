/* A process of high priority waits for a lock that one of low priority has, and which does not run while the other one is ready. */
mtype = { free, busy, idle, waiting, running };

mtype high = idle;
mtype low = idle;
mtype lock = free;

active proctype important()
{
end:	do
	:: high = waiting;
	   atomic { lock == free -> lock = busy };
	   high = running;
	   atomic { high = idle; lock = free }
	od
}

active proctype background() provided (high == idle)
{
end:	do
	:: low = waiting;
	   atomic { lock == free -> lock = busy };
	   low = running;
	   atomic { low = idle; lock = free }
	od
}
