/* Rendezvous, inline, d_step, structures, a channel in a message, and an array that is left. */
#define MOST 2
#if MOST > 1
typedef Request { chan answer; byte value }
#endif

chan service = [0] of { Request };
byte table[MOST];
short sum = -1;

inline add(n)
{
	d_step {
		sum = sum + n;
		table[n % MOST] = n
	}
}

active proctype server()
{
	Request r;

end:	do
	:: service?r ->
		add(r.value);
		r.answer!r.value + 1
	od
}

active proctype client()
{
	chan mine = [1] of { byte };
	Request r;
	byte got;

	r.answer = mine;
	select (got : 0 .. 2);
	r.value = got;
	service!r;
	mine?got;
	assert(table[got - 1] + 1 == got)
}
