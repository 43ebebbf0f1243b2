---- MODULE Bitwise ----
EXTENDS Integers
__few == 0 .. 65535
__digit(x, n) == (x \div n) % 2
__and(x, y, n) == n * (__digit(x, n) * __digit(y, n))
__xor(x, y, n) == n * ((__digit(x, n) + __digit(y, n)) % 2)
__digits(op(_, _, _), x, y) ==
  CASE x \in __few /\ y \in __few ->
    LET b(n) == op(x, y, n)
    IN  b(1) + b(2) + b(4) + b(8) + b(16) + b(32) + b(64) + b(128) + b(256) + b(512) + b(1024) + b(2048)
          + b(4096) + b(8192) + b(16384) + b(32768)
x & y == __digits(__and, x, y)
x ^^ y == __digits(__xor, x, y)
x | y == (x & y) + (x ^^ y)
shiftR(x, n) == x \div (2 ^ n)
====
