-- Which claim of a job is the present one. Counting them is not enough to tell: a claim is not waited for on the disk, so
-- a database that crashes may forget one and count the next by the same number.

alter table jobs add column claim text;
