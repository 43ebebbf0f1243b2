/* `in` is a name outside of the head of a loop over an array. */
byte in = 0, all = 0;
byte a[3];

active proctype count()
{
	int i;
	for (i in a) { a[i] = i };
	in = in + 1;
	all = all + in;
	assert(all != 1)
}
