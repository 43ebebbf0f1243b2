B=/work/w/main.target/debug/cladist
for f in $(find /work/w/spdl/*+* /work/w/ext2/scyther -name "*.spdl" | grep -v klevstad) $(ls /work/w/spdl/klevstad*/* | awk 'NR%8==0'); do
 s=$(timeout 10 /tmp/scy/scyther-linux --max-runs=1 "$f" 2>&1 >/dev/null | grep -ciE "error|syntax|panic"); 
 timeout 20 $B export sts "$f" --runs 1 >/dev/null 2>/tmp/acc.err; c=$?
 echo "$s $c $f $(grep -m1 -E '^error' /tmp/acc.err)"
done > acc.txt
