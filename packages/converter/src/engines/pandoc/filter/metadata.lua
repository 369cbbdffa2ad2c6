-- Of the metadata only keys that describe the document stay.

local headings = require 'headings'
local pictures = require 'pictures'
local counts = require 'counts'
local settings = require 'settings'
local words = require 'words'

local describing = words [[
  title subtitle author date lang dir abstract keywords subject description category rights publisher identifier
  creator contributor source language coverage title-meta author-meta abstract-title institute thanks copyright
]]

local function tellWhatWasSeen()
  io.stderr:write(string.format('kiln: version=%s pictures=%d remote=%d missing=%d markup=%d\n',
    tostring(PANDOC_VERSION), counts.pictures, counts.remote, counts.missing, counts.markup))
end

-- Books name the second in which they were made; a reader wants the day.
local function dayOf(date)
  return pandoc.utils.stringify(date):match('^(%d%d%d%d%-%d%d%-%d%d)T') or date
end

local function safeMetadata(meta)
  tellWhatWasSeen()
  local cover = meta['cover-image'] and not settings.leavesPicturesOut and pictures.inside(pandoc.utils.stringify(meta['cover-image']))
  local kept = {}
  for key, value in pairs(meta) do
    if describing[key] then kept[key] = value end
  end
  if kept.date then kept.date = dayOf(kept.date) end
  -- Some formats want a title; the first heading is what a reader would call the document.
  if not kept.title or pandoc.utils.stringify(kept.title) == '' then
    if settings.target == 'epub' then kept.title = headings.first() or 'Untitled' end
    if settings.target == 'html' then kept.pagetitle = headings.first() or 'Untitled' end
  end
  -- The page brings its own style sheet.
  if settings.target == 'html' then kept['document-css'] = false end
  if settings.target == 'epub' then
    kept['cover-image'] = cover and cover.name
    kept.identifier = kept.identifier or settings.identifier
  end
  return pandoc.Meta(kept)
end

return safeMetadata
