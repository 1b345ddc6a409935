// Words of a prompt that the bundled engine understands, for who does not know where to begin.

export const workingWords = ['push in', 'orbit', 'rain']
