-- runs_from: 0025
-- PostgreSQL reads no text from JSON that has U+0000 or half a surrogate pair anywhere, so one such prompt failed every
-- search of its account. Requests are cleaned when they are read; this cleans those that were stored before. An escape
-- counts if an even number of backslashes precedes it. Replacing twice catches escapes that follow one another.
update tasks set video_order = regexp_replace(
  regexp_replace(video_order, '([^\\])((\\\\)*)\\u(0000|d[89a-f][0-9a-f]{2})', '\1\2\\ufffd', 'g'),
  '([^\\])((\\\\)*)\\u(0000|d[89a-f][0-9a-f]{2})', '\1\2\\ufffd', 'g')
where strpos(video_order, '\ud') > 0 or strpos(video_order, '\u0000') > 0;
