/* A parcel is put into a shelf and taken out at once; a clerk may wait although there is always something to do. */
mtype = { small, large };

chan shelf = [2] of { mtype, byte };
byte weight = 3;
byte taken;

active proctype courier()
{
	mtype size;

	atomic { shelf!small(weight); shelf?size(taken); weight = weight - 1 };
	assert(taken == 3);
	atomic { shelf!large(weight); shelf!small(taken); shelf?size(taken); shelf?size(weight) };
	assert(size == large)
}

active proctype clerk()
{
	byte rest;

	do
	:: rest < 2 -> rest++
	:: break
	od;
end:	if
	:: rest > 2 -> skip
	:: true -> rest = 0
	:: timeout
	fi
}
