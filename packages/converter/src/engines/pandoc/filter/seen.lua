-- What was seen and left out; one line on stderr tells it at the end.
return { pictures = 0, remote = 0, missing = 0, markup = 0 }
