/* The alternating bit protocol over channels that lose messages; the sender repeats a message when nothing else happens. */
mtype = { msg, ack };

chan to_receiver = [1] of { mtype, byte, bit };
chan to_sender = [1] of { mtype, bit };
byte received;

active proctype sender()
{
	byte data;
	bit number, answer;

	do
	:: to_receiver!msg(data, number);
	   if
	   :: to_sender?ack(answer) ->
		if
		:: answer == number -> number = 1 - number; data = (data + 1) % 3
		:: else
		fi
	   :: timeout
	   fi
	od
}

active proctype receiver()
{
	byte data;
	bit number, expected;

end:	do
	:: to_receiver?msg(data, number) ->
		to_sender!ack(number);
		if
		:: number == expected ->
			assert(data == received);
			received = (received + 1) % 3;
			expected = 1 - expected
		:: else
		fi
	od
}

active proctype losses()
{
end:	do
	:: to_receiver?_, _, _
	:: to_sender?_, _
	od
}
