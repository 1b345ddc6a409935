-- runs_from: 0025
-- The search text of a task has the prompts of its shots, too. Tasks that were stored without them are searched by reading
-- their requests, like those that are too long for the index.
update tasks set search_text = null where search_text is not null and video_order like '%"shots":[{"prompt":%';
