/* Leader election in a ring: numbers go round, and only larger ones are passed on. */
#define N 3

mtype = { number, leader };

chan link[N] = [N] of { mtype, byte };
byte leaders;

proctype node(chan from, to; byte own)
{
	byte other;

	to!number(own);
end:	do
	:: from?number(other) ->
		if
		:: other > own -> to!number(other)
		:: other == own ->
			leaders++;
			assert(leaders == 1);
			to!leader(own);
			break
		:: else
		fi
	:: from?leader(other) ->
		to!leader(other);
		break
	od
}

init
{
	atomic {
		run node(link[0], link[1], 2);
		run node(link[1], link[2], 0);
		run node(link[2], link[0], 1)
	}
}

ltl elected { <> (leaders == 1) }
