/* A consumer that looks, and then sleeps: the producer may call in between. */
bool item, asleep;

active proctype producer()
{
	byte n;

	do
	:: n < 2 ->
		!item;
		item = true;
		n++;
		if
		:: asleep -> asleep = false
		:: else
		fi
	:: else -> break
	od
}

active proctype consumer()
{
end:	do
	:: if
	   :: item -> item = false
	   :: else ->
		asleep = true;
		!asleep
	   fi
	od
}
