Warning: command differs within e791f8e938: fs_mark -t 1 -d /fs; fs_mark -t 2 -d /fs
Warning: command differs: e791f8e938: fs_mark -t 1 -d /fs; 0472e47660: fs_mark -t 2 -d /fs
Warning: label nr_threads differs within e791f8e938: 1; 2
Warning: label nr_threads differs: e791f8e938: 1; 0472e47660: 2


                              fsmark.files_per_sec

  600 ++-----------------------------------------------------------------------+
      |                                                                        |
  500 ++                                                     *..*...*...*..*...*
      |                                                     :                  |
      |                                                    :            O  O   O
  400 ++                                                   : O  O   O          |
      |                                                   :                    |
  300 ++                                        ..*..*...*                     |
      |                               .*...*..*.  O  O   O                     |
  200 ++                            .. O   O  O                                |
      |                   ..*...*..*                                           |
      |         .*...*..*.                                                     |
  100 ++      .. O   O  O                                                      |
      *...*..*                                                                 |
    0 ++-----------------------------------------------------------------------+
      1                                                                       21
      * e791f8e938   O 0472e47660
