/* Peterson's algorithm with its first two statements in the wrong order. */
bool turn, flag[2];
byte inside;

active [2] proctype user()
{
again:	turn = _pid;
	flag[_pid] = true;
	(flag[1 - _pid] == false || turn == 1 - _pid);
	inside++;
	assert(inside == 1);
	inside--;
	flag[_pid] = false;
	goto again
}
